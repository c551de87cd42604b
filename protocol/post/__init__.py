"""Posts: what one seat of a match writes for another one, carried by anybody, by mail or by hand."""
