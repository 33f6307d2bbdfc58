import { keyedServer } from '@icosa/dialects/keyed/server'
import type { Service } from '@icosa/kernel'
import { documented } from './documented/handlers.ts'
import { keyHeaders, keyParameter } from './names.ts'
import { tables } from './tables/handlers.ts'
import { translations } from './translations/handlers.ts'
import { views } from './views.ts'

export const brailleTranslation: Service = {
  letter: 'S4',
  name: 'braille-translation',
  title: 'Braille translation',
  moves: 'withRows',
  views,
  apis: [
    {
      dialect: keyedServer({
        name: 'braille-translation',
        headers: keyHeaders,
        parameter: keyParameter,
        failure: ({ kind, message }, status) => ({
          error: { code: status, message: kind === 'unauthenticated' ? 'Unauthorized' : message },
        }),
      }),
      resources: { translations, documented, tables },
    },
  ],
}
