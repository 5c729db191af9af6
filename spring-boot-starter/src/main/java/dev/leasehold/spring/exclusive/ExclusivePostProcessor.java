package dev.leasehold.spring.exclusive;

import dev.leasehold.LeaseRequest;
import dev.leasehold.Leases;
import dev.leasehold.spring.Node;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.aopalliance.aop.Advice;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotationUtils;

/**
 * Has the calls of exclusive methods go through the {@link ExclusiveInterceptor}: outside of all advice that a bean has by then,
 * transactions among it, and inside of {@code @Async}, which comes later. Refuses what it cannot see to.
 */
final class ExclusivePostProcessor extends AbstractBeanFactoryAwareAdvisingPostProcessor
        implements SmartInitializingSingleton {

    private static final Logger log = LoggerFactory.getLogger(ExclusivePostProcessor.class);
    private static final long serialVersionUID = 1L;

    private final transient ExclusiveMethods methods;
    private final transient LeasesIfAny leases;
    private final transient List<ExclusiveMethod> seen = Collections.synchronizedList(new ArrayList<>());

    ExclusivePostProcessor(ConfigurableListableBeanFactory beans, LeasesIfAny leases) {
        this.methods = new ExclusiveMethods(beans, () -> beans.getBean(Node.class));
        this.leases = leases;
        Advice advice = new ExclusiveInterceptor(methods, leases);
        this.advisor = new DefaultPointcutAdvisor(new Annotated(), advice);
        setBeforeExistingAdvisors(true);
        setOrder(LOWEST_PRECEDENCE - 1);
    }

    private static final class Annotated extends StaticMethodMatcherPointcut {

        @Override
        public boolean matches(Method method, Class<?> targetClass) {
            return ExclusiveMethods.annotation(method, targetClass).isPresent();
        }
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        Object processed = super.postProcessAfterInitialization(bean, beanName);
        Class<?> type = AopUtils.getTargetClass(bean);
        if (AnnotationUtils.isCandidateClass(type, dev.leasehold.spring.Exclusive.class)) {
            Set<Method> exclusive = MethodIntrospector.selectMethods(
                    type,
                    (Method method) -> ExclusiveMethods.annotation(method, type).isPresent());
            for (Method method : exclusive) {
                Advisable.check(method, type, processed);
                seen.add(methods.of(method, type, target(bean)));
            }
            SelfCalls.refuse(type, exclusive);
        }
        return processed;
    }

    private static @Nullable Object target(Object bean) {
        return AopUtils.isAopProxy(bean)
                ? org.springframework.aop.framework.AopProxyUtils.getSingletonTarget(bean)
                : bean;
    }

    /** Now there are leases, if there ever are. */
    @Override
    public void afterSingletonsInstantiated() {
        if (seen.isEmpty()) {
            return;
        }
        Optional<Leases> asked = leases.get();
        if (asked.isEmpty()) {
            log.warn("leasehold.enabled is false: {} exclusive methods run on every instance", seen.size());
            return;
        }
        for (ExclusiveMethod method : List.copyOf(seen)) {
            method.ttl()
                    .ifPresent(
                            ttl -> asked.get().check(LeaseRequest.named("name").ttl(ttl)));
        }
    }
}
