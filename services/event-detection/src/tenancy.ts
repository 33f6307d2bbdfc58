import type { Tenancy } from '@icosa/module'
import { forgetMessages } from './journal/store.ts'

export const tenancy: Tenancy = {
  numbered: [
    {
      sequence: 'event_detection.models_id_seq',
      columns: { 'event_detection.models': 'id', 'event_detection.versions': 'model_id' },
    },
    {
      sequence: 'event_detection.generations',
      columns: {
        'event_detection.models': 'generation',
        'event_detection.instances': 'generation',
        'event_detection.retired_generations': 'generation',
      },
    },
  ],
  notImported: ['event_detection.mailbox'], // messages name a model by its number
  imported: forgetMessages,
}
