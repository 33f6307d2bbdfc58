import { type ReactNode, useId, useState } from 'react'
import { type Api, type JsonSchema, resolved } from '../data/catalogue.ts'
import type { FieldProblem } from '../data/request.ts'
import { counted } from '../data/values.ts'

interface FieldProps {
  readonly api: Api
  readonly label: string
  readonly schema: JsonSchema
  readonly value: unknown
  readonly isRequired: boolean
  /** Path in the request: `body/properties/location`. */
  readonly path: string
  readonly problems: readonly FieldProblem[]
  readonly onChange: (value: unknown) => void
}

const normal = (path: string) => path.toLowerCase().replace(/[./]+/g, '/').replace(/\/$/, '')

/** Problems of a field. Some dialects omit the part of the request from the path. */
const problemsAt = (problems: readonly FieldProblem[], path: string) =>
  problems.filter(({ at }) => normal(at) === normal(path) || `body/${normal(at)}` === normal(path))

const maxDepth = 3

/** An input for a value of any schema: structured to a depth of `maxDepth`, and JSON below. */
export function Field(props: FieldProps) {
  const schema = resolved(props.schema, props.api)
  const given = { ...props, schema }
  const depth = props.path.split('/').length - 1
  if (schema.enum) return <Choice {...given} options={schema.enum} />
  if (schema.type === 'boolean') return <Choice {...given} options={['true', 'false']} />
  if (schema.format === 'binary') return <FileField {...given} />
  if (schema.properties && depth < maxDepth) return <Members {...given} />
  if (schema.type === 'string') return <Text {...given} />
  if (schema.type === 'number' || schema.type === 'integer') return <Text {...given} />
  return <Json {...given} />
}

function Labelled({
  label,
  schema,
  isRequired,
  path,
  problems,
  children,
}: Omit<FieldProps, 'children'> & { readonly children: (id: string, note: string | undefined) => ReactNode }) {
  const id = useId()
  const wrong = problemsAt(problems, path)
  const hasNote = wrong.length > 0 || schema.description
  return (
    <div className={wrong.length > 0 ? 'field wrong' : 'field'}>
      <label htmlFor={id}>
        {label}
        {isRequired && <span className="muted"> required</span>}
      </label>
      {children(id, hasNote ? `${id}-note` : undefined)}
      {hasNote && (
        <p id={`${id}-note`} className="note">
          {wrong.length > 0 ? wrong.map(({ message }) => message).join('; ') : schema.description}
        </p>
      )}
    </div>
  )
}

function Choice(props: FieldProps & { readonly options: readonly string[] }) {
  const { schema, value, isRequired, options, onChange } = props
  const typed = (text: string) => (text === '' ? undefined : schema.type === 'boolean' ? text === 'true' : text)
  return (
    <Labelled {...props}>
      {(id, note) => (
        <select
          id={id}
          aria-describedby={note}
          value={value === undefined ? '' : String(value)}
          onChange={({ target }) => onChange(typed(target.value))}
        >
          {(!isRequired || value === undefined) && <option value="">–</option>}
          {options.map((option) => (
            <option key={option} value={option}>
              {schema.type === 'boolean' ? (option === 'true' ? 'yes' : 'no') : option}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  )
}

function Text(props: FieldProps) {
  const { schema, value, isRequired, onChange } = props
  const isNumber = schema.type !== 'string'
  const isLong = (schema.maxLength ?? 0) > 1_000
  const typed = (text: string) =>
    text === '' ? undefined : isNumber && Number.isFinite(Number(text)) ? Number(text) : text
  const common = (id: string, note: string | undefined) => ({
    ...{ id, 'aria-describedby': note, value: value === undefined ? '' : String(value), spellCheck: false },
    'aria-required': isRequired || undefined,
    onChange: ({ target }: { target: { value: string } }) => onChange(typed(target.value)),
  })
  return (
    <Labelled {...props}>
      {(id, note) =>
        isLong ? (
          <textarea rows={4} {...common(id, note)} />
        ) : (
          <input inputMode={isNumber ? 'decimal' : undefined} autoComplete="off" {...common(id, note)} />
        )
      }
    </Labelled>
  )
}

/** A value edited as JSON. While the text is invalid, the last valid value is kept. */
function Json(props: FieldProps) {
  const { value, onChange } = props
  const [text, setText] = useState(value === undefined ? '' : JSON.stringify(value, null, 2))
  const [isValid, setValid] = useState(true)
  const problems = isValid ? props.problems : [{ at: props.path, message: 'This is not valid JSON.' }]
  const change = (next: string) => {
    setText(next)
    try {
      onChange(next.trim() === '' ? undefined : JSON.parse(next))
      setValid(true)
    } catch {
      setValid(false)
    }
  }
  return (
    <Labelled {...props} problems={problems}>
      {(id, note) => (
        <textarea
          className="code"
          rows={Math.min(12, Math.max(2, text.split('\n').length))}
          {...{ id, 'aria-describedby': note, value: text, spellCheck: false }}
          onChange={({ target }) => change(target.value)}
        />
      )}
    </Labelled>
  )
}

function FileField(props: FieldProps) {
  const read = async (file: File | undefined) =>
    props.onChange(
      file && {
        mediaType: file.type || 'application/octet-stream',
        content: new Uint8Array(await file.arrayBuffer()),
        fileName: file.name,
      },
    )
  return (
    <Labelled {...props}>
      {(id, note) => (
        <input id={id} type="file" aria-describedby={note} onChange={({ target }) => void read(target.files?.[0])} />
      )}
    </Labelled>
  )
}

/** Members of an object: required and set ones first, the others collapsed. */
function Members({ api, label, schema, value, path, problems, onChange }: FieldProps) {
  const members = Object.entries(schema.properties ?? {}).filter(([, member]) => !resolved(member, api).readOnly)
  const current = Object(value) as Record<string, unknown>
  const isFirst = (name: string) => schema.required?.includes(name) || current[name] !== undefined
  const [first] = useState(() => new Set(members.map(([name]) => name).filter(isFirst)))
  const change = (name: string, next: unknown) => {
    const { [name]: _, ...others } = current
    const all = next === undefined ? others : { ...current, [name]: next }
    onChange(Object.keys(all).length === 0 && path.includes('/') ? undefined : all)
  }
  const field = ([name, member]: [string, JsonSchema]) => (
    <Field
      key={name}
      {...{ api, problems, label: name, schema: member, value: current[name], path: `${path}/${name}` }}
      isRequired={schema.required?.includes(name) ?? false}
      onChange={(next) => change(name, next)}
    />
  )
  const rest = members.filter(([name]) => !first.has(name))
  const isWrong = rest.some(([name]) => problems.some(({ at }) => normal(at).startsWith(normal(`${path}/${name}`))))
  const inside = (
    <>
      {members.filter(([name]) => first.has(name)).map(field)}
      {rest.length > 0 && (
        <details open={isWrong || undefined}>
          <summary>{counted(rest.length, first.size === 0 ? 'optional field' : 'more field')}</summary>
          {rest.map(field)}
        </details>
      )}
    </>
  )
  if (!path.includes('/')) return inside
  return (
    <fieldset>
      <legend>{label}</legend>
      {inside}
    </fieldset>
  )
}
