package page

import "html/template"

// AppendCell appends the HTML of a cell.
func (w *App) AppendCell(b []byte, one *Cell) []byte {
	text := template.HTMLEscapeString(one.Text)
	switch one.Look {
	case "name", "link":
		if one.Href == "" {
			return append(b, text...)
		}
		b = append(b, "<a "...)
		if one.Look == "name" {
			b = append(b, `class="name" `...)
		}
		b = append(append(b, `href="`...), template.HTMLEscapeString(w.At(one.Href))...)
		return append(append(append(b, `">`...), text...), "</a>"...)
	case "dot":
		return append(append(append(append(append(b, `<span class="dot `...), one.Tone...), `">`...), text...),
			"</span>"...)
	case "prio":
		b = append(append(append(b, `<span class="prio `...), one.Tone...), `">`...)
		return append(append(append(b, w.icon("prio-"+one.Tone)...), text...), "</span>"...)
	case "when":
		return appendWhen(b, one.When, one.Tone)
	case "out":
		b = append(append(b, `<a rel="noopener nofollow" href="`...), template.HTMLEscapeString(one.Out)...)
		return append(append(append(b, `">`...), text...), "</a>"...)
	}
	if one.Tone != "" && one.Look == "text" {
		return append(append(append(append(append(b, `<span class="`...), one.Tone...), `">`...), text...),
			"</span>"...)
	}
	return append(b, text...)
}

// appendWhen appends the HTML of a time.
func appendWhen(b []byte, at *Moment, tone string) []byte {
	if at == nil {
		return b
	}
	b = append(append(b, `<time datetime="`...), at.ISO...)
	if tone != "" {
		b = append(append(b, `" class="`...), tone...)
	}
	b = append(append(b, `" title="`...), template.HTMLEscapeString(at.Full)...)
	return append(append(append(b, `">`...), template.HTMLEscapeString(at.Short)...), "</time>"...)
}

// cellHTML returns the HTML of a cell, for templates.
func (w *App) cellHTML(one Cell) template.HTML { return template.HTML(w.AppendCell(nil, &one)) }
