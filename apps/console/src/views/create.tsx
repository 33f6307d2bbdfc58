import { useNavigate } from '@tanstack/react-router'
import { operationOf, type ServiceCatalogue, type View } from '../data/catalogue.ts'
import { Call } from '../parts/call.tsx'
import { Sheet } from '../parts/dialog.tsx'
import { paramsOf } from './list.ts'

interface CreateProps {
  readonly service: ServiceCatalogue
  readonly view: View
  readonly scope: Readonly<Record<string, string>>
}

/** The form for a new one, starting from the example. */
export function Create({ service, view, scope }: CreateProps) {
  const navigate = useNavigate({ from: '/$service/$view' })
  const close = () => void navigate({ search: ({ act: _, ...old }) => old, replace: true })
  const found = operationOf(service, view.create)
  if (!found) return null
  const known = paramsOf(found.operation.path).filter((name) => scope[name])
  const params = Object.fromEntries(known.map((name) => [name, scope[name] ?? '']))
  return (
    <Sheet title={found.operation.summary} about={view.about} onClose={close}>
      <Call
        {...{ found, service: service.name, params, suggested: service.scope, body: view.example, submit: 'Create' }}
        onDone={close}
      />
    </Sheet>
  )
}
