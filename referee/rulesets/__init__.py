"""The games that come with referee; each is found through its entry point, as any other is."""
