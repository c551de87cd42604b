"""Statistics of recorded matches: the facts that an audit finds, results, series and ratings."""
