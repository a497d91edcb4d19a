package game

// Fraction is what a stored score has beside the true one, which orders ties.
func Fraction(m *Mode, stored float64) float64 { return stored - float64(m.Decode(stored)) }
