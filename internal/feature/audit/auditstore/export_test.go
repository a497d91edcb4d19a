package auditstore

// Queries are those of the record, by what they ask of.
func Queries() map[string]string {
	return map[string]string{"mode": auditOfMode, "player": auditOfPlayer}
}
