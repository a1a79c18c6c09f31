"""Everything that is done on the stage: both sides counted, timed, counted again, explained."""
