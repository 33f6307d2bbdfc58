import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { catalogueQuery, operationOf, type Panel, type ServiceCatalogue } from '../data/catalogue.ts'
import { prepare, type Row, readerOf, type Sources } from '../data/panel.ts'
import { type Answer, type Parts, send } from '../data/request.ts'
import type { Item } from '../data/values.ts'
import { Call } from '../parts/call.tsx'
import { Sheet } from '../parts/dialog.tsx'
import { drawings } from './kinds.ts'
import './panels.css'

type Strings = Readonly<Record<string, string>>

interface PanelProps {
  readonly service: ServiceCatalogue
  readonly panel: Panel
  readonly scope: Strings
  readonly itemKey: Strings
  readonly item: Item
}

/** The inside of an item or a service: read while it is open, or sent by a click. */
export default function PanelView(props: PanelProps) {
  const { service, panel, scope, itemKey, item } = props
  const found = operationOf(service, panel.call?.operation)
  const prepared = found && panel.call && prepare(found, panel.call, { ...service.scope, ...scope }, itemKey, item)
  const isRead = panel.reads && prepared?.isComplete
  return (
    <section className="drawn" aria-label={panel.title}>
      {panel.about && <p className="muted">{panel.about}</p>}
      {!panel.call && <Drawing {...props} sources={{ item }} />}
      {prepared && (isRead ? <Read {...props} parts={prepared.parts} /> : <Ask {...props} parts={prepared.parts} />)}
    </section>
  )
}

type CallProps = PanelProps & { readonly parts: Parts }

const refreshMs = 3_000

function useRead(service: ServiceCatalogue, operation: string | undefined, parts: Parts, isOn: boolean) {
  const { data: catalogue } = useQuery(catalogueQuery)
  const found = operationOf(service, operation)
  return useQuery({
    queryKey: ['panel', service.name, operation, parts],
    enabled: isOn && found !== undefined && catalogue !== undefined,
    queryFn: () => (found ? send(found, { service: service.name, tenant: catalogue?.tenant ?? '' }, parts) : undefined),
    refetchInterval: ({ state: { error } }) => (error ? false : refreshMs),
  })
}

/** The second reply of a panel, if it has one. */
function useAlso({ service, panel, scope, itemKey, item }: PanelProps, isOn: boolean) {
  const found = operationOf(service, panel.also?.operation)
  const parts = found && panel.also ? prepare(found, panel.also, scope, itemKey, item).parts : {}
  return useRead(service, panel.also?.operation, parts, isOn && panel.also !== undefined)
}

/** Read when it is opened, and again while it stays open. */
function Read(props: CallProps) {
  const { service, panel, item, parts } = props
  const { data, error } = useRead(service, panel.call?.operation, parts, true)
  const also = useAlso(props, true)
  const problem = error ?? also.error
  if (problem) return <Problem error={problem} />
  if (!data || (panel.also && !also.data)) return <p className="muted">…</p>
  return <Drawing {...props} sources={{ item, reply: data.body, headers: data.headers, also: also.data?.body }} />
}

/** Sent by a click, with what a person adds. */
function Ask(props: CallProps) {
  const { service, panel, item, parts } = props
  const [done, setDone] = useState<{ readonly answer: Answer; readonly sent: unknown }>()
  const also = useAlso(props, done !== undefined)
  const found = operationOf(service, panel.call?.operation)
  if (!found) return null
  const { params = {}, query = {}, body } = parts
  return (
    <>
      <Call
        {...{ found, service: service.name, params, query, body, submit: 'Send' }}
        suggested={{ ...service.scope, ...panel.call?.ask }}
        ask={Object.keys(panel.call?.ask ?? {})}
        onDone={(answer, { body: sent }) => setDone({ answer, sent })}
      />
      {also.error && <Problem error={also.error} />}
      {done && (
        <Drawing
          {...props}
          sources={{
            ...{ item, reply: done.answer.body, headers: done.answer.headers },
            ...{ sent: done.sent, also: also.data?.body },
          }}
        />
      )}
    </>
  )
}

const Problem = ({ error }: { readonly error: Error }) => (
  <div className="problem" role="alert">
    {error.message}
  </div>
)

/** Whether a reply says that another page follows. */
const hasMore = (reply: unknown) =>
  Object.entries(Object(reply)).some(([name, value]) => /^@?next_?(link|token|page_?token)$/i.test(name) && value)

function Drawing({ sources, ...props }: PanelProps & { readonly sources: Sources }) {
  const { panel } = props
  const Drawn = drawings[panel.as]
  if (!Drawn) return <p className="problem">This console cannot draw '{panel.as}'.</p>
  return (
    <Suspense fallback={<p className="muted">…</p>}>
      <Drawn reader={readerOf(panel, sources)} actOn={(row) => <RowAct {...props} row={row} />} />
      {panel.as !== 'lines' && hasMore(sources.reply) && <p className="note">Only the first page is shown.</p>}
    </Suspense>
  )
}

/** The operation for a row, as a form over the page. */
function RowAct({ service, panel, scope, row }: PanelProps & { readonly row: Row }) {
  const [isOpen, setOpen] = useState(false)
  const found = operationOf(service, panel.act?.operation)
  if (!found || !panel.act) return null
  const { params = {}, query = {}, body } = prepare(found, panel.act, scope, {}, row).parts
  return (
    <>
      <button type="button" className="plain" onClick={() => setOpen(true)}>
        {panel.act.label}
      </button>
      {isOpen && (
        <Sheet title={found.operation.summary} onClose={() => setOpen(false)}>
          <Call
            {...{ found, service: service.name, params, query, body, submit: 'Send' }}
            suggested={panel.act.ask ?? {}}
          />
        </Sheet>
      )}
    </>
  )
}
