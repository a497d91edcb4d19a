package bill

// ParseDays reads an answer.
var ParseDays = parseDays
