import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode, useSyncExternalStore } from 'react'
import { createRoot } from 'react-dom/client'
import { access } from './data/access.ts'
import { router } from './router.tsx'
import './style.css'
import { SignIn } from './views/sign-in.tsx'

const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } })
access.subscribe(() => queries.clear())

function App() {
  const current = useSyncExternalStore(access.subscribe, access.get)
  if (!current) return <SignIn />
  return (
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  )
}

const root = document.getElementById('console')
if (root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
