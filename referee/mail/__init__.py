"""Mail sources and transports: IMAP, SMTP, LMTP and Maildir, with their libraries."""
