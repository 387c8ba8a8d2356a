"""Pages that everyone can read with a browser: HTML without scripts, an Atom feed, and a folder.

They are made from values of the desk, and know no game, no person and no database.
"""
