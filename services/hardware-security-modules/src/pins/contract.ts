import { extensions, named, Type } from '@icosa/contract'
import { api } from '../data-plane/contract.ts'

export const pin = extensions({
  replace: api.post('/pin', {
    summary: 'Replace the PIN of the module, even a locked one. The new PIN is shown once; the old one is refused.',
    replies: { 200: named('Pin', { pin: Type.String() }) },
  }),
})
