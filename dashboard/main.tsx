import './kit/trusted-types.ts'
import './styles.ts'
import { createRoot } from 'react-dom/client'
import { App } from './frame/app.tsx'

const root = document.getElementById('root')
if (root) createRoot(root).render(<App />)
