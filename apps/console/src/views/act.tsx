import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import {
  type Api,
  catalogueQuery,
  type Found,
  type JsonSchema,
  operationOf,
  type Parameter,
  resolved,
  type ServiceCatalogue,
  type View,
} from '../data/catalogue.ts'
import { send } from '../data/request.ts'
import type { Item } from '../data/values.ts'
import { Call } from '../parts/call.tsx'
import { Sheet } from '../parts/dialog.tsx'
import { itemParts } from './list.ts'

type Strings = Readonly<Record<string, string>>

interface ActProps {
  readonly service: ServiceCatalogue
  readonly view: View
  readonly scope: Strings
  readonly itemKey: Strings
  readonly item: Item
  readonly name: string
  readonly onGone: () => void
}

/** The part of an item that a body may contain. */
function writableOf(item: unknown, schema: JsonSchema, api: Api): unknown {
  const { properties } = resolved(schema, api)
  if (!properties || typeof item !== 'object' || item === null) return item
  const kept = Object.entries(item).flatMap(([name, value]) => {
    const member = properties[name]
    return member && value !== null && !resolved(member, api).readOnly ? [[name, writableOf(value, member, api)]] : []
  })
  return Object.fromEntries(kept)
}

/** Changes and deletes any version, where an operation asks for one. */
const anyVersion = ({ operation: { parameters } }: Found) =>
  (parameters as Parameter[]).some(({ in: where, name }) => where === 'header' && name.toLowerCase() === 'if-match')
    ? { headers: { 'if-match': '*' } }
    : {}

/** Buttons to edit, run the view's actions and delete. The open form is in the URL. */
export function Act(props: ActProps) {
  const { service, view, scope, itemKey, item } = props
  const { act } = useSearch({ from: '/$service/$view' })
  const navigate = useNavigate({ from: '/$service/$view' })
  const show = (next: string | undefined) =>
    void navigate({ search: ({ act: _, ...old }) => (next ? { ...old, act: next } : old), replace: true })
  const all = [...(view.update ? [{ id: view.update, label: 'Edit' }] : []), ...view.actions]
  const found =
    act !== 'create' && act !== view.delete ? operationOf(service, all.find(({ id }) => id === act)?.id) : undefined
  const parts = found && itemParts(found.operation, scope, itemKey)
  return (
    <div className="buttons">
      {all.map(({ id, label }) => (
        <button key={id} type="button" className="plain" onClick={() => show(id)}>
          {label}
        </button>
      ))}
      {view.delete && (
        <button type="button" className="danger" onClick={() => show(view.delete)}>
          Delete
        </button>
      )}
      {found && (
        <Sheet title={found.operation.summary} about={props.name} onClose={() => show(undefined)}>
          <Call
            {...{
              found,
              service: service.name,
              params: parts?.params ?? {},
              suggested: { ...service.scope, ...scope },
              submit: act === view.update ? 'Save' : 'Send',
              ...anyVersion(found),
            }}
            {...(parts?.body !== undefined && { fixed: parts.body as Strings })}
            {...(act === view.update && {
              body: writableOf(item, (found.operation.body?.schema ?? {}) as JsonSchema, found.api),
              onDone: () => show(undefined),
            })}
          />
        </Sheet>
      )}
      {act === view.delete && view.delete && <Delete {...props} onClose={() => show(undefined)} />}
    </div>
  )
}

/** Deletes once the name has been typed. */
function Delete({ service, view, scope, itemKey, name, onGone, onClose }: ActProps & { readonly onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const queries = useQueryClient()
  const { data: catalogue } = useQuery(catalogueQuery)
  const found = operationOf(service, view.delete) as Found
  const parts = { ...itemParts(found.operation, scope, itemKey), ...anyVersion(found) }
  const deleting = useMutation({
    mutationFn: () => send(found, { service: service.name, tenant: catalogue?.tenant ?? '' }, parts),
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: ['list', service.name] })
      onGone()
    },
  })
  return (
    <Sheet title={found.operation.summary} onClose={onClose}>
      <form
        className="call"
        onSubmit={(event) => {
          event.preventDefault()
          if (typed === name) deleting.mutate()
        }}
      >
        <div className="field">
          <label htmlFor="confirmation">
            Type <strong>{name}</strong> to delete it
          </label>
          <input id="confirmation" autoComplete="off" value={typed} onChange={({ target }) => setTyped(target.value)} />
        </div>
        {deleting.error && (
          <div className="problem" role="alert">
            {deleting.error.message}
          </div>
        )}
        <div className="buttons">
          <button type="submit" className="danger" disabled={typed !== name || deleting.isPending}>
            Delete
          </button>
        </div>
      </form>
    </Sheet>
  )
}
