import { behavesAsTheService } from './behaviour.mjs';
import { inProcess } from './targets.mjs';

behavesAsTheService('The test service, called as a function', inProcess);
