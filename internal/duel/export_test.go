package duel

// Parts that tests look at.
var (
	Parse  = parse
	Record = record
	Names  = fields[:]
)

// Fields is how many a duel's hash has.
const Fields = len(fields)
