package price

import (
	"fmt"
	"slices"
)

// Line is one item of a bill.
type Line struct {
	Vendor, Plan string
	Item         Item // empty: the price of the plan itself
	Quantity     float64
	Dollars      float64
}

// Bill is what a month costs.
type Bill struct {
	Lines []Line
	Total float64
	Plans map[string]string // by vendor
}

// Choice says how a bill is made.
type Choice struct {
	Plans       map[string]string // by vendor; if none is named, the cheapest that allows the quantities
	NoFreeTiers bool              // leaves out free plans and free quantities
}

// Bill computes what quantities cost. It fails if a named plan is unknown or does not allow
// the quantities, and if no plan allows them.
func (l List) Bill(q Quantities, c Choice) (Bill, error) {
	b := Bill{Plans: map[string]string{}}
	for _, v := range l.Vendors {
		lines, total, err := v.bill(q, c)
		if err != nil {
			return Bill{}, fmt.Errorf("%s: %w", v.Name, err)
		}
		b.Lines = append(b.Lines, lines...)
		b.Total += total
		b.Plans[v.Name] = lines[0].Plan
	}
	return b, nil
}

// bill chooses the cheapest of the allowed plans; if two cost the same, the earlier one.
func (v Vendor) bill(q Quantities, c Choice) (best []Line, least float64, err error) {
	named := c.Plans[v.Name]
	if named != "" && !slices.ContainsFunc(v.Plans, func(p Plan) bool { return p.Name == named }) {
		return nil, 0, fmt.Errorf("there is no plan %q", named)
	}
	for _, p := range v.Plans {
		if named != "" && p.Name != named || c.NoFreeTiers && p.IsFree {
			continue
		}
		if lines, total := p.bill(v.Name, q, !c.NoFreeTiers); p.takes(q) && (best == nil || total < least) {
			best, least = lines, total
		}
	}
	if best == nil {
		return nil, 0, fmt.Errorf("no plan that may be chosen takes so much: %v", q)
	}
	return best, least, nil
}

// Meter is the price that a vendor's plan has for an item; the zero Meter if there is no such
// plan.
func (l List) Meter(vendor, plan string, item Item) Meter {
	for _, v := range l.Vendors {
		for _, p := range v.Plans {
			for _, m := range p.Meters {
				if v.Name == vendor && p.Name == plan && m.Item == item {
					return m
				}
			}
		}
	}
	return Meter{}
}

func (p Plan) takes(q Quantities) bool {
	return !slices.ContainsFunc(p.Meters, func(m Meter) bool { return !m.fits(q[m.Item]) })
}

func (p Plan) bill(vendor string, q Quantities, freeTiers bool) (lines []Line, total float64) {
	if p.Dollars > 0 {
		lines, total = append(lines, Line{Vendor: vendor, Plan: p.Name, Quantity: 1, Dollars: p.Dollars}), p.Dollars
	}
	for _, m := range p.Meters {
		line := Line{vendor, p.Name, m.Item, q[m.Item], m.cost(q[m.Item], freeTiers)}
		lines, total = append(lines, line), total+line.Dollars
	}
	return lines, total
}

// Of is what some items cost together.
func (b Bill) Of(items ...Item) float64 {
	var total float64
	for _, line := range b.Lines {
		if slices.Contains(items, line.Item) {
			total += line.Dollars
		}
	}
	return total
}

// OfVendor is what a vendor charges.
func (b Bill) OfVendor(name string) float64 {
	var total float64
	for _, line := range b.Lines {
		if line.Vendor == name {
			total += line.Dollars
		}
	}
	return total
}
