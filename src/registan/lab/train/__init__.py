"""Learning to play: self-play, fitting a net to how games ended, checkpoints."""
