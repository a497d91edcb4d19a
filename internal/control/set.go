package control

import (
	"context"
	"slices"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/gamefile/ruleset"
	"github.com/framedle/leaderboards/internal/redis"
	"github.com/framedle/leaderboards/upstash"
)

// Set has the members of the set of bans: the bans, and all notices.
type Set struct {
	Banned             map[string]struct{}
	epochs             []string
	rules, maintenance []string
}

func Among(members []string) Set {
	n := Set{Banned: make(map[string]struct{}, len(members))}
	for _, member := range members {
		if id, ok := strings.CutPrefix(member, game.EpochMember("")); ok {
			n.epochs = append(n.epochs, id)
		} else if text, ok := strings.CutPrefix(member, game.RulesMember("")); ok {
			n.rules = append(n.rules, text)
		} else if text, ok := strings.CutPrefix(member, game.MaintenanceMember("")); ok {
			n.maintenance = append(n.maintenance, text)
		} else if !strings.Contains(member, ":") { // else a notice of another version
			n.Banned[member] = struct{}{}
		}
	}
	slices.Sort(n.rules) // a set's members come in no order
	slices.Sort(n.maintenance)
	return n
}

func (n Set) keptRules() ([]ruleset.Rules, error) {
	var all []ruleset.Rules
	for _, text := range n.rules {
		rules, err := ruleset.Parse(text)
		if err != nil {
			return nil, err
		}
		all = append(all, rules)
	}
	return all, nil
}

// halt is why nothing may be written according to the set; nil: it may.
func (n Set) halt(kept ruleset.Rules, today game.Date) error {
	rules, err := n.keptRules()
	if err != nil {
		return err
	}
	if m, on := n.asksToWait(); on {
		return &MaintenanceError{Maintenance: m}
	}
	return ruleset.Check(rules, kept, today)
}

func readNotices(ctx context.Context, client *upstash.Client) (Set, error) {
	reply, err := client.Do(ctx, upstash.Cmd("SMEMBERS", game.BansKey))
	if err != nil {
		return Set{}, err
	}
	members, err := reply.Strings()
	return Among(members), err
}

// replace replaces notices by one, or deletes them if now is "".
func replace(ctx context.Context, client *upstash.Client, as func(string) string, old []string, now string) error {
	p := redis.Pipeline{Atomic: true}
	if now != "" {
		p.Add(upstash.Cmd("SADD", game.BansKey, as(now)).Idempotent(), nil)
	}
	if old = slices.DeleteFunc(old, func(text string) bool { return text == now }); len(old) > 0 {
		remove := []string{"SREM", game.BansKey}
		for _, text := range old {
			remove = append(remove, as(text))
		}
		p.Add(upstash.Cmd(remove...).Idempotent(), nil)
	}
	if len(p.Commands) == 0 {
		return nil
	}
	_, err := p.Run(ctx, client)
	return err
}
