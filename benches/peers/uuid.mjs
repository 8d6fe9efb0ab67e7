export { v4 as newId } from 'uuid';
