package game

// HeldKey is a hash of the plays that are kept off the boards until an operator has
// looked at them: player, moment and nonce -> the play.
const HeldKey = "held"
