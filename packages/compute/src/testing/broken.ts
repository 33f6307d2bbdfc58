import { serve } from '../serve.ts'

await serve(() => {
  throw new Error('the model is missing')
})
