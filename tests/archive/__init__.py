"""The archive: `make archive` runs these, with its extras; `make test` leaves them out."""
