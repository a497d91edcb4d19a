package move

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/framedle/leaderboards/upstash"
)

// FieldEndsError is returned for a hash with a field that expires by itself. The product never
// makes one, and in the target the field would live for ever.
type FieldEndsError struct{ Key, Field string }

func (e *FieldEndsError) Error() string {
	return fmt.Sprintf("the field %q of the hash %q has an expiry, which the leaderboards never set: the source also has data of another program; move that separately and delete the key, or remove the expiry with HPERSIST", e.Field, e.Key)
}

// hashPage is a page of a hash.
type hashPage struct {
	key    string
	fields []entry
}

// refuseFieldEnds returns an error if a field of the hashes expires by itself. An engine that
// does not know the command has no such fields, and is not asked again.
func (r *run) refuseFieldEnds(ctx context.Context, pages []hashPage) error {
	if len(pages) == 0 || r.noFieldEnds {
		return nil
	}
	var commands []upstash.Command
	for _, p := range pages {
		words := []string{"HPEXPIRETIME", p.key, "FIELDS", strconv.Itoa(len(p.fields))}
		for _, f := range p.fields {
			words = append(words, f.name)
		}
		commands = append(commands, upstash.Cmd(words...))
	}
	result, err := r.From.Pipeline(ctx, commands...)
	if err != nil {
		return err
	}
	for i, p := range pages {
		if err := result.ErrOf(i); err != nil {
			if r.noFieldEnds = isUnknownCommand(err); r.noFieldEnds {
				return nil
			}
			return err
		}
		if result.Replies[i].IsNil() {
			continue // the key was just deleted
		}
		ends, err := result.Replies[i].Array()
		if err != nil || len(ends) != len(p.fields) {
			return unexpected("HPEXPIRETIME", err)
		}
		for j, end := range ends {
			at, err := end.Int64()
			if err != nil {
				return unexpected("HPEXPIRETIME", err)
			}
			if at >= 0 {
				return &FieldEndsError{p.key, p.fields[j].name}
			}
		}
	}
	return nil
}

// isUnknownCommand reports whether an error, in the words of Redis or of Upstash, says that
// the command is unknown.
func isUnknownCommand(err error) bool {
	text := strings.ToLower(err.Error())
	return strings.Contains(text, "unknown command") || strings.Contains(text, "command is not available")
}
