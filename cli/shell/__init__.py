"""The command line around the commands: parser, completion, exit codes, crash reports, settings, folders."""
