"""What a correspondence game is: plain values and arithmetic, without clock, mail or rows."""
