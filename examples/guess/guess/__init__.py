"""The game that docs/new-game.md builds: one seat hides two cards, the other finds the high one."""
