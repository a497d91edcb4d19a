package gamefile

// What tests of the file with all features use, which cannot be in this package.
var (
	ModesKey      = modesKey
	ScoreKey      = scoreKey
	ParseDuration = parseDuration
)

const (
	WantDuration = wantDuration
	WantRate     = wantRate
	WantPercent  = wantPercent
)

func (k *Key) Called(name string) *Key { return k.field(name) }
func (k *Key) As(kind Kind) *Key       { return k.as(kind) }

// File has the keys of all sections, and the modes.
func File() *Key { return file }
