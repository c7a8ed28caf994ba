import ToCome from '../../kit/to-come.tsx'

export default ToCome
