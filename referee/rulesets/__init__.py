"""The games that come with referee; each is found through its entry point, like anybody's."""
