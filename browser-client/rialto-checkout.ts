import { startLibrary } from './start.ts'

// {base_url}/js/rialto-checkout.js

startLibrary()
