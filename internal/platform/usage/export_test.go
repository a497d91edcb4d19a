package usage

// ParseDays reads an answer.
var ParseDays = parseDays
