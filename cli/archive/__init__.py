"""An archive of records: its tables, what adds to them, what judges them.  It needs the extra `archive`."""
