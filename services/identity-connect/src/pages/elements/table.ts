import { attribute, type Html, html } from '@icosa/pages'

export interface Column<Row> {
  readonly head: string
  readonly cell: (row: Row) => Html | undefined
  /** A column of buttons needs no visible head. */
  readonly isAction?: boolean
}

/**
 * A table that becomes a list on narrow screens. The explicit roles are needed because browsers drop the implicit ones of
 * elements that are not laid out as a table.
 */
export function table<Row>(labelledBy: string, columns: readonly Column<Row>[], rows: readonly Row[]): Html {
  return html`<table role="table" aria-labelledby="${labelledBy}">
<thead role="rowgroup"><tr role="row">${columns.map(
    ({ head, isAction }) =>
      html`<th role="columnheader" scope="col">${isAction ? html`<span class="unseen">${head}</span>` : head}</th>`,
  )}</tr></thead>
<tbody role="rowgroup">
${rows.map((row) => html`<tr role="row">${columns.map((column, index) => cellOf(column, row, index === 0))}</tr>\n`)}</tbody>
</table>`
}

function cellOf<Row>({ head, cell, isAction }: Column<Row>, row: Row, isFirst: boolean): Html {
  if (isFirst) return html`<th role="rowheader" scope="row">${cell(row)}</th>`
  return html`<td role="cell"${attribute('data-head', !isAction && head)}>${cell(row)}</td>`
}
