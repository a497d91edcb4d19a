package wallet

import (
	"cmp"
	"fmt"
	"net/http"
	"strconv"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/framedle/leaderboards/internal/api/decode"
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/limit"
	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/api/respond"
	"github.com/framedle/leaderboards/internal/control"
	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/auth"
)

func init() {
	problem.Register("too-little", problem.Kind{Status: http.StatusConflict, Title: "Insufficient balance"})
}

// Endpoints are the endpoints of players' own wallets, each named as its route.
type Endpoints struct {
	Game    *game.Game
	Gate    *gate.Guard
	Notices *control.Notices
	Wallets *Wallets
}

// Routes are the routes of wallets.
func (e Endpoints) Routes() []gate.Route {
	return []gate.Route{
		// Steady: in a game without currencies.
		{Function: "me", Pattern: "GET /v1/me/wallets", Auth: gate.AnyPlayer, Limit: limit.Boards,
			Price: gate.UpTo(walletPrice), Serve: gate.NoQuery(e.GetWallets)},
		{Function: "me", Pattern: "POST /v1/me/wallets/{currency}/spend", Auth: gate.PlayerOrServer, Limit: limit.Purchases, Body: gate.Required,
			Price: gate.UpTo(spendPrice), Keyed: true, BlockedInMaintenance: true, Serve: e.PostSpend},
	}
}

// What wallets cost, in billed commands.
const (
	walletPrice = 60 // a currency that four modes earn, before the first closing
	spendPrice  = 60
)

type walletsAnswer struct {
	Wallets map[string]walletAnswer `json:"wallets"`
}

type walletAnswer struct {
	Balance int64 `json:"balance"`
	Earned  int64 `json:"earned"`
	Spent   int64 `json:"spent"`
}

// GetWallets reads GET /v1/me/wallets.
func (e Endpoints) GetWallets(w http.ResponseWriter, r *gate.Request) error {
	answer := walletsAnswer{Wallets: map[string]walletAnswer{}}
	if e.Wallets.Enabled() {
		all, err := e.Wallets.Of(r.Context(), r.Caller.Player.ID)
		if err != nil {
			return err
		}
		for _, b := range all {
			answer.Wallets[b.Currency] = walletAnswer{b.Left(), b.Earned, b.Spent}
		}
	}
	return respond.Public(w, r.Request, respond.OwnCache, answer)
}

// spendAnswer is what was spent, and what was left after it: the same each time it is asked
// for.
type spendAnswer struct {
	ID       string `json:"id"`
	Player   string `json:"player"`
	Currency string `json:"currency"`
	Amount   int64  `json:"amount"`
	Balance  int64  `json:"balance"`
	Item     string `json:"item,omitempty"`
	At       string `json:"at"`
}

// PostSpend spends: POST /v1/me/wallets/{currency}/spend. The spend keeps its own record, in
// the same atomic step, so no answer can be lost between the two.
func (e Endpoints) PostSpend(w http.ResponseWriter, r *gate.Request) error {
	wish, err := e.readSpend(r)
	if err != nil {
		return err
	}
	if err := e.Notices.MayPlay(r.Context(), wish.Player); err != nil {
		return err
	}
	if err := e.Gate.Count(w, r); err != nil {
		return err
	}
	done, after, replayed, err := e.Wallets.Spend(r.Context(), wish)
	if err != nil {
		return err
	}
	if replayed {
		w.Header().Set("Idempotency-Replayed", "true")
	}
	return respond.JSON(w, r.Request, http.StatusCreated, spendAnswer{
		ID: done.ID, Player: done.Player, Currency: done.Currency, Amount: done.Amount, Item: done.Item,
		Balance: after.Left(), At: done.At.Format(time.RFC3339Nano),
	})
}

func (e Endpoints) readSpend(r *gate.Request) (Wish, error) {
	wish := Wish{Player: r.Caller.Player.ID, Currency: r.PathValue("currency"), Once: r.Record()}
	q, f := decode.OpenQuery(r.URL), decode.Open(r.Sent, "")
	if r.Caller.IsServer() {
		if player, ok := f.Text("player", decode.Required); ok {
			if err := game.ValidPlayer(player); err != nil {
				f.Fault("player", err.Error())
			} else if auth.IsDevice(player) { // the player who claims the device gets what it has earned
				f.Fault("player", "a device cannot spend; use the player who has claimed it")
			}
			wish.Player = player
		}
	} else if _, ok := f.Take("player", decode.Optional); ok {
		return wish, problem.Forbidden("only a game server may name the player; sign the request (" + gate.SignatureHeader + ")")
	}
	if text, ok := f.Number("amount", decode.Required); ok {
		amount, err := strconv.ParseInt(text, 10, 64)
		if err != nil || amount < 1 || amount > MostAmount {
			f.Fault("amount", fmt.Sprintf("this must be a whole number from 1 to %d", MostAmount))
		}
		wish.Amount = amount
	}
	if item, ok := f.Text("item", decode.Optional); ok {
		if !validItem(item) {
			f.Fault("item", fmt.Sprintf("this must be 1 to %d bytes of printable text", MostItem))
		}
		wish.Item = item
	}
	if err := cmp.Or(q.Done(), f.Done()); err != nil {
		return wish, err
	}
	if r.Key == "" {
		return wish, problem.BadRequest("the header " + gate.KeyHeader + " is required: a new key for each purchase, the same key for a retry of it")
	}
	if _, ok := CurrenciesOf(e.Game).Named(wish.Currency); !ok {
		return wish, problem.New("not-found", fmt.Sprintf("unknown currency %.50q; GET /v1/me/wallets lists them", wish.Currency))
	}
	return wish, nil
}

func validItem(item string) bool {
	if item == "" || len(item) > MostItem || !utf8.ValidString(item) {
		return false
	}
	for _, c := range item {
		if !unicode.IsPrint(c) {
			return false
		}
	}
	return true
}
