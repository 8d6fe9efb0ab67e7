import { behavesAsTheService } from './behaviour.mjs';
import { behindMsw } from './targets.mjs';

behavesAsTheService('The test service behind Mock Service Worker', behindMsw);
