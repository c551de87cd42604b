"""The start menu, on the screen and in lines: what a program without a command shows."""
