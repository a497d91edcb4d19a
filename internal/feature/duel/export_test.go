package duel

// Parts that tests look at.
var (
	Record = record
	Names  = names

	DuelCursor      = duelCursor
	ParseDuelCursor = parseDuelCursor
)

// Parse reads a duel from the texts of all fields of its hash.
func Parse(id string, texts []string) (Duel, error) {
	h, err := hashOf(texts)
	if err != nil {
		return Duel{}, err
	}
	return h.duel(id)
}

// QuotedNames are the same names as scripts have them.
const QuotedNames = quotedNames
