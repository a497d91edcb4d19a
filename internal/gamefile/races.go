package gamefile

import "github.com/framedle/leaderboards/internal/game"

// readRaces reads the rules of races, nil if the game has none.
func readRaces(r *reader, v value) *game.Races {
	if v.node == nil || v.node.Value == off {
		return nil
	}
	d := game.DefaultRaces()
	f := r.section(v, "players", "wait", "invite", "silent", "timeout", "keep")
	return &game.Races{
		Players: int(r.number(f.field("players"), 0, int64(d.Players))),
		Wait:    r.duration(f.field("wait"), d.Wait),
		Invite:  r.duration(f.field("invite"), d.Invite),
		Silent:  r.duration(f.field("silent"), d.Silent),
		Timeout: r.duration(f.field("timeout"), d.Timeout),
		Keep:    r.duration(f.field("keep"), d.Keep),
	}
}
