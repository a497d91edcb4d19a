package price

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

//go:embed prices.json
var prices []byte

// List is a list of prices.
type List struct {
	Date    string   `json:"date"` // the day for which it holds
	Region  string   `json:"region"`
	Vendors []Vendor `json:"vendors"`
}

// Vendor is a company that sends a bill. A deployment chooses one of its plans.
type Vendor struct {
	Name    string   `json:"name"`
	Sources []string `json:"sources"`
	Plans   []Plan   `json:"plans"`
}

// Plan is a way to pay a vendor.
type Plan struct {
	Name    string  `json:"name"`
	Date    string  `json:"date"`    // the day for which it holds, if not the list's
	Dollars float64 `json:"dollars"` // a month, regardless of use
	IsFree  bool    `json:"is_free"` // a free tier
	Meters  []Meter `json:"meters"`
}

// Meter is the price of an item on a plan.
type Meter struct {
	Item    Item    `json:"item"`
	Dollars float64 `json:"dollars"` // for each Per beyond Free; 0: included in the plan
	Per     float64 `json:"per"`
	Free    float64 `json:"free"`
	Most    float64 `json:"most"` // the plan allows no more than this; 0: no bound
}

// Current are the prices that this build knows. Each call parses them again.
func Current() (List, error) { return Parse(prices) }

// Parse reads a list. It is an error if an item is unknown, if two vendors bill the same
// item, or if a vendor's plans do not all name the same items.
func Parse(data []byte) (List, error) {
	var l List
	decoder := json.NewDecoder(strings.NewReader(string(data)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&l); err != nil {
		return List{}, fmt.Errorf("read the prices: %w", err)
	}
	if err := l.check(); err != nil {
		return List{}, fmt.Errorf("read the prices: %w", err)
	}
	return l, nil
}

func (l List) check() error {
	if _, err := time.Parse(time.DateOnly, l.Date); err != nil {
		return fmt.Errorf("date is %q: want the day on which they were looked up, such as 2026-11-22", l.Date)
	}
	seller := map[Item]string{}
	for _, v := range l.Vendors {
		if len(v.Sources) == 0 || len(v.Plans) == 0 {
			return fmt.Errorf("%s needs sources and plans", v.Name)
		}
		for _, p := range v.Plans {
			if err := p.check(v.Plans[0]); err != nil {
				return fmt.Errorf("%s, %s: %w", v.Name, p.Name, err)
			}
		}
		for _, m := range v.Plans[0].Meters {
			if other, is := seller[m.Item]; is {
				return fmt.Errorf("%s and %s both bill %s", other, v.Name, m.Item)
			}
			seller[m.Item] = v.Name
		}
	}
	for item := range units {
		if seller[item] == "" {
			return fmt.Errorf("there is no price for %s", item)
		}
	}
	return nil
}

// check compares a plan with the first one of its vendor.
func (p Plan) check(first Plan) error {
	if _, err := time.Parse(time.DateOnly, p.Date); p.Date != "" && err != nil {
		return fmt.Errorf("date is %q: want the day on which it was looked up, such as 2026-11-22, or none", p.Date)
	}
	if p.Dollars < 0 || p.IsFree && p.Dollars > 0 {
		return fmt.Errorf("a month costs %g: want 0 or more, and 0 for what is free", p.Dollars)
	}
	if len(p.Meters) != len(first.Meters) {
		return errors.New("all plans of a vendor name the same items")
	}
	for i, m := range p.Meters {
		switch {
		case units[m.Item] == "":
			return fmt.Errorf("%q is no item", m.Item)
		case slices.ContainsFunc(p.Meters[:i], func(other Meter) bool { return other.Item == m.Item }):
			return fmt.Errorf("%s is listed twice", m.Item)
		case !slices.ContainsFunc(first.Meters, func(other Meter) bool { return other.Item == m.Item }):
			return fmt.Errorf("%s is not in %s: all plans of a vendor name the same items", m.Item, first.Name)
		case m.Dollars < 0 || m.Free < 0 || m.Most < 0 || m.Per < 0 || m.Dollars > 0 && m.Per == 0:
			return fmt.Errorf("%s: prices and bounds are 0 or more, and per is what the price buys", m.Item)
		case p.IsFree && m.Dollars > 0:
			return fmt.Errorf("%s has a price on a plan that is free", m.Item)
		}
	}
	return nil
}

// cost is the price of a quantity of the meter's item.
func (m Meter) cost(quantity float64, freeTiers bool) float64 {
	if freeTiers {
		quantity = math.Max(0, quantity-m.Free)
	}
	if m.Dollars == 0 {
		return 0
	}
	return quantity / m.Per * m.Dollars
}

func (m Meter) fits(quantity float64) bool { return m.Most == 0 || quantity <= m.Most }

// Item is something that a vendor bills.
type Item string

// The items of a month.
const (
	GatewayRequests Item = "gateway_requests"
	LambdaRequests  Item = "lambda_requests"   // invocations, scheduled ones too
	LambdaSeconds   Item = "lambda_gb_seconds" // of memory as configured, in GB of 1024 MB
	CustomMetrics   Item = "custom_metrics"    // sets of name and dimensions
	AlarmMetrics    Item = "alarm_metrics"     // an alarm counts for each metric that it watches
	Dashboards      Item = "dashboards"        // free up to 50 metrics each
	LogGB           Item = "log_gb"            // ingested, with 26 bytes for each line
	LogStoredGB     Item = "log_stored_gb"     // stored, as if uncompressed
	SQSRequests     Item = "sqs_requests"
	ScheduledRuns   Item = "scheduled_runs" // by rules of the default event bus
	EgressGB        Item = "egress_gb"      // from AWS to the Internet
	RedisCommands   Item = "redis_commands"
	RedisGB         Item = "redis_gb" // bodies of requests and answers
	RedisStoredGB   Item = "redis_stored_gb"
	PostgresHours   Item = "postgres_cu_hours"
	PostgresGB      Item = "postgres_gb" // from Postgres
	PostgresStored  Item = "postgres_stored_gb"
)

// units are the units of items, for items whose name does not say it.
var units = map[Item]string{
	GatewayRequests: "requests", LambdaRequests: "requests", LambdaSeconds: "GB-seconds", CustomMetrics: "metrics",
	AlarmMetrics: "metrics", Dashboards: "dashboards", LogGB: "GB", LogStoredGB: "GB", SQSRequests: "requests",
	ScheduledRuns: "runs", EgressGB: "GB", RedisCommands: "commands", RedisGB: "GB", RedisStoredGB: "GB",
	PostgresHours: "CU-hours", PostgresGB: "GB", PostgresStored: "GB",
}

// Unit is the unit in which the item is counted.
func (i Item) Unit() string { return units[i] }

// Quantities are how much of each item a month uses.
type Quantities map[Item]float64

// Deployed is the part of template.yaml, by default, for which CloudWatch bills more than
// what calls write. A test of package template compares it with the template.
var Deployed = struct{ Metrics, AlarmMetrics, QueueAlarmMetrics, Dashboards int }{
	Metrics: 4, AlarmMetrics: 7, QueueAlarmMetrics: 2, Dashboards: 1,
}
