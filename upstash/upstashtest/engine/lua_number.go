package engine

import (
	"math"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
)

// formatter is the global function that formatConcatenated puts into compiled scripts. No
// script can spell this name.
const formatter = "\x00text"

// formatDigits prints as C's printf does with %g.
func formatDigits(f float64, digits int) string {
	switch {
	case math.IsNaN(f) && math.Signbit(f):
		return "-nan"
	case math.IsNaN(f):
		return "nan"
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	}
	return strconv.FormatFloat(f, 'g', digits, 64)
}

// luaText is the text of a value as Lua 5.1 prints it: numbers with 14 digits.
func luaText(v lua.LValue) string {
	if n, ok := v.(lua.LNumber); ok {
		return formatDigits(float64(n), 14)
	}
	return v.String()
}

// addNumbers adds the functions that turn numbers into text and back.
func (in *interpreter) addNumbers() {
	l := in.state
	formatNumbers := func(from int) {
		for i := from; i <= l.GetTop(); i++ {
			if n, ok := l.Get(i).(lua.LNumber); ok {
				l.Replace(i, lua.LString(luaText(n)))
			}
		}
	}
	in.setGlobal("tonumber", l.NewFunction(toNumber))
	plain := l.GetGlobal("tostring")
	in.setGlobal("tostring", l.NewFunction(func(l *lua.LState) int {
		if n, ok := l.Get(1).(lua.LNumber); ok {
			l.Push(lua.LString(luaText(n)))
			return 1
		}
		top := l.GetTop()
		l.Push(plain)
		for i := 1; i <= top; i++ {
			l.Push(l.Get(i))
		}
		l.Call(top, 1)
		return 1
	}))
	in.env.RawSetString(formatter, l.NewFunction(func(l *lua.LState) int {
		formatNumbers(1)
		l.Push(l.Get(1))
		return 1
	}))

	maths, _ := l.GetGlobal("math").(*lua.LTable)
	maths.RawSetString("huge", lua.LNumber(math.Inf(1)))
	strs, _ := l.GetGlobal("string").(*lua.LTable)
	format := strs.RawGetString("format")
	strs.RawSetString("format", l.NewFunction(func(l *lua.LState) int {
		top := l.GetTop()
		verbs := formatVerbs(l.CheckString(1))
		l.Push(format)
		l.Push(lua.LString(unsignedVerb.ReplaceAllString(l.CheckString(1), "${1}d")))
		for i := 2; i <= top; i++ {
			v := l.Get(i)
			if n, ok := v.(lua.LNumber); ok && (i-2 >= len(verbs) || strings.IndexByte("sq", verbs[i-2]) >= 0) {
				v = lua.LString(luaText(n))
			}
			l.Push(v)
		}
		l.Call(top, 1)
		return 1
	}))
	tables, _ := l.GetGlobal("table").(*lua.LTable)
	concat := tables.RawGetString("concat")
	tables.RawSetString("concat", l.NewFunction(func(l *lua.LState) int {
		top := l.GetTop()
		t := l.CheckTable(1)
		texts := l.CreateTable(t.Len(), 0)
		for i := 1; i <= t.Len(); i++ {
			v := t.RawGetInt(i)
			if n, ok := v.(lua.LNumber); ok {
				v = lua.LString(luaText(n))
			}
			texts.RawSetInt(i, v)
		}
		l.Push(concat)
		l.Push(texts)
		for i := 2; i <= top; i++ {
			l.Push(l.Get(i))
		}
		l.Call(top, 1)
		return 1
	}))
}

var unsignedVerb = regexp.MustCompile(`(%[-+ #0-9.]*)u`)

// formatVerbs are the letters of a format's directives, one for each argument.
func formatVerbs(format string) (verbs []byte) {
	for {
		_, rest, found := strings.Cut(format, "%")
		if !found {
			return verbs
		}
		rest = strings.TrimLeft(rest, "-+ #0123456789.")
		if rest == "" {
			return verbs
		}
		if rest[0] != '%' {
			verbs = append(verbs, rest[0])
		}
		format = rest[1:]
	}
}

// toNumber is Lua 5.1's tonumber, which reads numbers as C's strtod does.
func toNumber(l *lua.LState) int {
	v, base := l.CheckAny(1), l.OptInt(2, 10)
	text, ok := v.(lua.LString)
	if _, isNumber := v.(lua.LNumber); base == 10 && isNumber {
		l.Push(v)
		return 1
	}
	if base == 10 {
		if f, valid := parseLuaNumber(string(text)); ok && valid {
			l.Push(lua.LNumber(f))
			return 1
		}
		l.Push(lua.LNil)
		return 1
	}
	if base < 2 || base > 36 {
		l.ArgError(2, "base out of range")
	}
	digits := strings.ToLower(strings.TrimSpace(luaText(v)))
	if base == 16 {
		digits = strings.TrimPrefix(digits, "0x")
	}
	n, err := strconv.ParseUint(digits, base, 64)
	if err != nil {
		l.Push(lua.LNil)
		return 1
	}
	l.Push(lua.LNumber(n))
	return 1
}

func parseLuaNumber(text string) (float64, bool) {
	text = strings.Trim(text, " \t\n\v\f\r")
	if strings.Contains(text, "_") {
		return 0, false
	}
	if lower := strings.ToLower(text); strings.Contains(lower, "0x") && !strings.Contains(lower, "p") {
		text += "p0"
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil && !math.IsInf(f, 0) {
		return 0, false
	}
	return f, true
}

var (
	concatType = reflect.TypeFor[*ast.StringConcatOpExpr]()
)

// formatConcatenated wraps the operands of every concatenation into calls of formatter,
// which prints numbers as Redis' Lua does. Without it the interpreter would print all
// their digits.
func formatConcatenated(statements []ast.Stmt) {
	walkSyntax(reflect.ValueOf(statements))
}

func walkSyntax(v reflect.Value) {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() {
			return
		}
		if v.Type() == concatType {
			concat := v.Interface().(*ast.StringConcatOpExpr)
			walkSyntax(v.Elem())
			concat.Lhs, concat.Rhs = asText(concat.Lhs), asText(concat.Rhs)
			return
		}
		walkSyntax(v.Elem())
	case reflect.Slice:
		for i := range v.Len() {
			walkSyntax(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				walkSyntax(v.Field(i))
			}
		}
	}
}

func asText(e ast.Expr) ast.Expr {
	switch e.(type) {
	case *ast.StringExpr, *ast.StringConcatOpExpr:
		return e
	}
	name := &ast.IdentExpr{Value: formatter}
	name.SetLine(e.Line())
	wrapped := &ast.FuncCallExpr{Func: name, Args: []ast.Expr{e}, AdjustRet: true}
	wrapped.SetLine(e.Line())
	wrapped.SetLastLine(e.Line())
	return wrapped
}
