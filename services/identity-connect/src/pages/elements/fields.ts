import { attribute, type Html, html } from '@icosa/pages'

export interface Field {
  readonly name: string
  readonly label: string
  readonly autocomplete: string
  /** Where a page has two fields of one name. */
  readonly id?: string
  readonly value?: string | undefined
  readonly hint?: string | undefined
  readonly isOptional?: boolean
  readonly isFixed?: boolean
  /** The page shows a problem that may be about this field. */
  readonly hasProblem?: boolean
}

interface TextField extends Field {
  readonly type?: 'text' | 'email' | 'tel'
}

/** A label, an input and a hint, tied together. */
export function textField(field: TextField): Html {
  const { id = field.name, type = 'text' } = field
  const plain = type !== 'text'
  return html`<div class="field">${labelOf(field)}
<input id="${id}" name="${field.name}" type="${type}" value="${field.value}" autocomplete="${field.autocomplete}"${[
    attribute('inputmode', plain && type),
    attribute('autocapitalize', plain && 'none'),
    attribute('spellcheck', plain && 'false'),
    attribute('maxlength', type === 'email' && 254),
    attribute('readonly', field.isFixed),
    ...common(field),
  ]}>
${hintOf(field)}</div>`
}

/** The new line is the one that a browser drops, so that the value keeps its own. */
export function linesField(field: Field): Html {
  const { id = field.name } = field
  return html`<div class="field">${labelOf(field)}
<textarea id="${id}" name="${field.name}" rows="2" autocomplete="${field.autocomplete}"${common(field)}>
${field.value}</textarea>
${hintOf(field)}</div>`
}

/** The button is shown by password.js: without it, it could do nothing. */
export function passwordField(field: Omit<Field, 'value' | 'autocomplete'> & { readonly isNew: boolean }): Html {
  const { id = field.name, isNew } = field
  const described = { ...field, hint: isNew ? 'At least 12 characters.' : field.hint }
  return html`<div class="field">${labelOf(field)}
<div class="secret"><input id="${id}" name="${field.name}" type="password" autocomplete="${
    isNew ? 'new-password' : 'current-password'
  }" autocapitalize="none" spellcheck="false"${[
    attribute('minlength', isNew && 12),
    attribute('maxlength', isNew && 128),
    ...common(described),
  ]}><button type="button" class="secondary" data-reveal aria-controls="${id}" aria-label="Show ${field.label.toLowerCase()}" hidden>Show</button>
<span class="unseen" role="status"></span></div>
${hintOf(described)}</div>`
}

/** Choices of which none is chosen at first. A value that is no choice stays as it is. */
export function choiceField(field: Field, choices: readonly string[]): Html {
  const { id = field.name, value = '' } = field
  const all = ['', ...(value === '' || choices.includes(value) ? [] : [value]), ...choices]
  return html`<div class="field">${labelOf(field)}
<select id="${id}" name="${field.name}" autocomplete="${field.autocomplete}"${common(field)}>
${all.map((each) => html`<option value="${each}"${attribute('selected', each === value)}>${each === '' ? 'Not set' : each}</option>`)}
</select>
${hintOf(field)}</div>`
}

type Described = Pick<Field, 'id' | 'name' | 'label' | 'hint' | 'isOptional' | 'hasProblem'>

const labelOf = ({ id, name, label }: Described) => html`<label for="${id ?? name}">${label}</label>`

const hintOf = ({ id, name, hint }: Described) => hint && html`<p class="muted" id="${id ?? name}-hint">${hint}</p>`

function common({ id, name, hint, isOptional, hasProblem }: Described) {
  const described = [hint && `${id ?? name}-hint`, hasProblem && 'problem'].filter((each) => each)
  return [
    attribute('required', !isOptional),
    attribute('aria-describedby', described.length > 0 && described.join(' ')),
  ]
}
