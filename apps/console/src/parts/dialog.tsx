import { Dialog } from '@base-ui/react/dialog'
import { type ReactNode, useRef } from 'react'

interface SheetProps {
  readonly title: string
  readonly about?: string | undefined
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A modal side panel, which Escape closes. */
export function Sheet({ title, about, onClose, children }: SheetProps) {
  const popup = useRef<HTMLDivElement>(null)
  const [heading = '', ...rest] = title.split(/(?<=\.) /)
  const description = [...rest, about].filter(Boolean).join(' ')
  /** The first field that must be filled in, or the first one. */
  const firstField = () => {
    const fields = [...(popup.current?.querySelectorAll<HTMLInputElement>('input, select, textarea') ?? [])]
    return fields.find(({ ariaRequired, value }) => ariaRequired && value === '') ?? fields[0] ?? true
  }
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="sheet" ref={popup} initialFocus={firstField}>
          <header>
            <Dialog.Title render={<h2>{heading.replace(/\.$/, '')}</h2>} />
            <Dialog.Close className="quiet" aria-label="Close">
              ×
            </Dialog.Close>
          </header>
          {description && <Dialog.Description className="muted">{description}</Dialog.Description>}
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
