package template

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Check returns why CloudFormation would refuse a value of a parameter, and which values it
// takes; nil if it takes the value. The error does not contain the value, which may be a
// secret.
func (p Parameter) Check(value string) error {
	if p.Type == "CommaDelimitedList" {
		for item := range strings.SplitSeq(value, ",") {
			if !p.takes(strings.TrimSpace(item)) {
				return fmt.Errorf("want %s", p.Wanted)
			}
		}
		return nil
	}
	switch n, err := strconv.Atoi(value); {
	case len(p.AllowedValues) > 0 && !slices.Contains(p.AllowedValues, value):
		return fmt.Errorf("want one of %s", strings.Join(p.AllowedValues, ", "))
	case p.Type != "Number":
	case err != nil, p.Min != "" && n < atoi(p.Min), p.Max != "" && n > atoi(p.Max):
		return fmt.Errorf("want a whole number%s%s", prefixed(" from ", p.Min), prefixed(" to ", p.Max))
	}
	if !p.takes(value) {
		return fmt.Errorf("want %s", p.Wanted)
	}
	return nil
}

func (p Parameter) takes(value string) bool {
	pattern, err := regexp.Compile(p.AllowedPattern)
	return err == nil && pattern.MatchString(value)
}

// atoi reads a bound; a test makes sure that every bound is a number.
func atoi(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}

func prefixed(prefix, text string) string {
	if text == "" {
		return ""
	}
	return prefix + text
}

// Setting is the name of the parameter's setting: CLERK_ISSUER for ClerkIssuer.
func (p Parameter) Setting() string {
	var b strings.Builder
	for i, c := range p.Name {
		if i > 0 && 'A' <= c && c <= 'Z' {
			b.WriteByte('_')
		}
		b.WriteRune(c)
	}
	return strings.ToUpper(b.String())
}
