"""The test kit for games, of this program and of other packages: `python -m cli.testing GAME`.

It stands on the highest floor, for it plays a game through all of them: rules, protocol, audit and terminal.
"""
