"""The ways in and out: IMAP, SMTP, LMTP and Maildir, the one home of their libraries."""
