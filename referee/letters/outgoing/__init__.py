"""Writing a letter: notices as values, their layout, their bytes."""
