import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { catalogueQuery, type Found, type JsonSchema, type Parameter } from '../data/catalogue.ts'
import { type Answer, type FieldProblem, type Parts, Problem, send } from '../data/request.ts'
import { counted } from '../data/values.ts'
import { Field } from './form.tsx'
import { Copyable, Snippets } from './snippets.tsx'

interface CallProps {
  readonly found: Found
  readonly service: string
  readonly submit: string
  /** Known path parameters, which get no input. */
  readonly params: Readonly<Record<string, string>>
  /** Initial values of the other parameters. */
  readonly suggested?: Readonly<Record<string, string>>
  /** Optional query parameters that are shown with the required ones. */
  readonly ask?: readonly string[]
  /** Query parameters that get no input. */
  readonly query?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** Members of the body that are already decided. */
  readonly fixed?: Readonly<Record<string, unknown>>
  readonly onDone?: (answer: Answer, parts: Parts) => void
}

const isAsked = ({ in: where, required, schema }: Parameter) =>
  where === 'path' || (where === 'query' && !(required && schema.default !== undefined))

/** The form of an operation, with its request as code and its reply. */
export function Call(props: CallProps) {
  const { found, service, submit, params, suggested = {}, ask = [], query = {}, headers } = props
  const { body: initial, fixed, onDone } = props
  const { api, operation } = found
  const queries = useQueryClient()
  const { data: catalogue } = useQuery(catalogueQuery)
  const [body, setBody] = useState<unknown>(initial)
  const parameters = (operation.parameters as Parameter[]).filter(
    (one) => isAsked(one) && !(one.name in params) && !(one.name in query),
  )
  const [values, setValues] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(parameters.map(({ name }) => [name, suggested[name] ?? ''])),
  )
  const inPath = parameters.filter((one) => one.in === 'path').map(({ name }) => [name, values[name] ?? ''])
  const inQuery = parameters.filter((one) => one.in === 'query').map(({ name }) => [name, values[name] || undefined])
  const parts: Parts = {
    params: { ...params, ...Object.fromEntries(inPath) },
    query: { ...query, ...Object.fromEntries(inQuery) },
    ...(headers && { headers }),
    ...(operation.body && { body: fixed ? { ...fixed, ...Object(body) } : (body ?? {}) }),
  }
  const sending = useMutation({
    mutationFn: () => send(found, { service, tenant: catalogue?.tenant ?? '' }, parts),
    async onSuccess(answer) {
      await queries.invalidateQueries({ queryKey: ['list', service] })
      await queries.invalidateQueries({ queryKey: ['item', service] })
      onDone?.(answer, parts)
    },
  })
  const [isTried, setTried] = useState(false)
  // Without it, the request would be another operation's.
  const missing = inPath.flatMap(([name, value]) =>
    value ? [] : [{ at: `path/${name}`, message: 'This is required.' }],
  )
  const refused = sending.error instanceof Problem ? sending.error.fields : []
  const problems: readonly FieldProblem[] = isTried && missing.length > 0 ? missing : refused
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (missing.length === 0) sending.mutate()
  }
  const isShown = ({ name, required }: Parameter) => required || ask.includes(name)
  const shown = parameters.filter(isShown)
  const optional = parameters.filter((parameter) => !isShown(parameter))
  const field = ({ name, in: where, schema, required }: Parameter) => (
    <Field
      key={name}
      {...{ api, problems, label: name, schema, path: `${where}/${name}`, isRequired: required }}
      value={values[name] === '' ? undefined : values[name]}
      onChange={(next) => setValues({ ...values, [name]: next === undefined ? '' : String(next) })}
    />
  )
  return (
    <form className="call" onSubmit={onSubmit} noValidate>
      {shown.map(field)}
      {operation.body && (
        <Field
          {...{ api, problems, label: 'Body', path: 'body', isRequired: true, value: body, onChange: setBody }}
          schema={operation.body.schema as JsonSchema}
        />
      )}
      {optional.length > 0 && (
        <details>
          <summary>{counted(optional.length, 'optional parameter')}</summary>
          {optional.map(field)}
        </details>
      )}
      {sending.error && (
        <div className="problem" role="alert">
          {sending.error.message}
        </div>
      )}
      <div className="buttons">
        <button type="submit" disabled={sending.isPending}>
          {sending.isPending ? 'Sending' : submit}
        </button>
        {sending.isSuccess && <span role="status">Done</span>}
      </div>
      {sending.isSuccess && !onDone && <Reply answer={sending.data} />}
      <details>
        <summary>Show request</summary>
        <Snippets {...{ found, service, parts }} />
      </details>
    </form>
  )
}

function Reply({ answer: { status, body } }: { readonly answer: Answer }) {
  if (body instanceof Uint8Array) return <p className="muted">{body.length} bytes.</p>
  const text = typeof body === 'string' ? body : JSON.stringify(body, null, 2)
  if (!text) return <p className="muted">Status {status}, no content.</p>
  return <Copyable text={text.slice(0, 100_000)} label="Reply" />
}
